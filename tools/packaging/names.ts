/**
 * Names of the packages on npm, where `parley` and the scope `@parley` belong to others. `parley-sdk` has one name everywhere, because
 * programs import it; the others are renamed by this table when published.
 */
export const PUBLISHED_NAMES = {
  '@parley/contract': 'parley-contract',
  '@parley/gateway': 'parley-gateway',
  '@parley/sandbox': 'parley-sandbox',
} as const;

type PackageName = keyof typeof PUBLISHED_NAMES;

const OWN_NAME = new RegExp(`(?:${Object.keys(PUBLISHED_NAMES).join('|')})(?![\\w-])`, 'g');

export function withPublishedNames(text: string): string {
  return text.replace(OWN_NAME, (name) => PUBLISHED_NAMES[name as PackageName]);
}
