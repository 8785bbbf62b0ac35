import { securityTexts } from '../../texts/security.ts';

/** Most specific first: most browsers also claim to be Chrome and Safari. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const MACHINES: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** Common name of the browser; its user agent when unknown. */
export function browserName(claimed: string | null): string {
  if (claimed === null) return securityTexts.unknown;
  const [browser, machine] = [BROWSERS, MACHINES].map(
    (names) => names.find(([sign]) => sign.test(claimed))?.[1],
  );
  if (browser === undefined) return claimed;
  return machine === undefined ? browser : `${browser}, ${machine}`;
}
