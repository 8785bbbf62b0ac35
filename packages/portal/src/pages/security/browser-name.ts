import { securityTexts } from '../../texts/security.ts';

/** The more special first: nearly everybody claims to be Chrome and Safari too. */
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

/** What people call it; what it calls itself where nobody knows it. */
export function browserName(claimed: string | null): string {
  if (claimed === null) return securityTexts.unknown;
  const [browser, machine] = [BROWSERS, MACHINES].map(
    (names) => names.find(([sign]) => sign.test(claimed))?.[1],
  );
  if (browser === undefined) return claimed;
  return machine === undefined ? browser : `${browser}, ${machine}`;
}
