import { isAbsolute } from 'node:path';
import { StoreError } from './errors.ts';

type StoreAddress =
  | { readonly dialect: 'sqlite'; readonly path: string }
  | { readonly dialect: 'postgres'; readonly url: string };

export function parseStoreUrl(url: string): StoreAddress {
  const path = /^sqlite:(?:\/\/(?=\/))?(.*)$/.exec(url)?.[1];
  if (path !== undefined && isAbsolute(path)) return { dialect: 'sqlite', path };
  if (/^postgres(?:ql)?:\/\/./.test(url) && URL.parse(url)?.hostname) return { dialect: 'postgres', url };
  throw new StoreError(
    'bad_url',
    'A database address is sqlite:/absolute/path or postgres://user:password@host:port/database.',
  );
}
