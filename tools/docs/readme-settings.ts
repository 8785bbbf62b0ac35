import { SETTINGS, type Setting } from '../../packages/gateway/src/settings.ts';
import { table } from './limits-page.ts';

const SECTION = /(?<=<!-- made by npm run docs -->\n\n).*?(?=\n\n<!-- until here -->)/s;
const ADDRESS = /\S*(?:<|:\/\/)[^\s,]*/g;

/** The README with the settings as the gateway knows them. */
export function withSettings(readme: string): string {
  const rows = Object.values<Setting>(SETTINGS).map(({ name, standard, unset, meaning, takes }) => [
    `\`${name}\``,
    unset ? standard : `\`${standard}\``,
    meaning,
    takes.replace(ADDRESS, '`$&`'),
  ]);
  return readme.replace(SECTION, () => table(['Variable', 'Default', 'Meaning', 'Takes'], rows));
}
