import { posix } from 'node:path';
import { pathOf } from './contents.ts';

/** The address of a link on the site; undefined where it leads to a file of the repository that is no page. */
export type LinkTarget = (href: string) => string | undefined;

/** Links are written for readers of the repository: `webhooks.md#verifying`. On the site they lead to pages. */
export function linksFrom(file: string, pages: ReadonlySet<string>): LinkTarget {
  return (href) => {
    if (/^(?:https?:|#)/.test(href)) return href;
    const [name = '', anchor] = href.split('#');
    const wanted = posix.join(posix.dirname(file), name);
    const path = wanted.endsWith('.md') ? pathOf(wanted) : pathOf(`${wanted}.md`);
    if (!pages.has(path)) return undefined;
    return anchor === undefined ? path : `${path}#${anchor}`;
  };
}
