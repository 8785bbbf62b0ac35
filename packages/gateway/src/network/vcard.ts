const MOST_PHONES = 32;
const LONGEST_NUMBER = 255;

/** `item1.TEL;type=CELL;waid=15550002001:+1 555 000 2001` */
const TELEPHONE = /^(?:[\w-]+\.)?TEL((?:;[^:]*)?):(.*)$/i;
const NETWORK_NUMBER = /;waid=(\d{5,20})(?:;|$)/i;
/** A long line continues in the next one, after a blank. */
const FOLD = /\r?\n[ \t]/g;

/** The numbers on a card: as on the network where the card says so, otherwise as written. */
export function phonesIn(vcard: string): string[] {
  const numbers = vcard
    .replace(FOLD, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, attributes = '', written = ''] = TELEPHONE.exec(line) ?? [];
      return NETWORK_NUMBER.exec(attributes)?.[1] ?? written.trim().slice(0, LONGEST_NUMBER).toWellFormed();
    });
  return [...new Set(numbers.filter(Boolean))].slice(0, MOST_PHONES);
}
