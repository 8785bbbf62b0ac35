import { compare, readSpecification } from './compare.ts';

/** Compares what the driver understands with an extracted specification of a web client. */
const [place] = process.argv.slice(2);
if (place === undefined) {
  console.error(
    'npm run drift -- <folder or file>   an extracted specification; see docs/network-changes.md',
  );
  process.exitCode = 2;
} else {
  for (const { part, added, gone } of compare(readSpecification(place))) {
    console.log(`${part}: ${added.length} new, ${gone.length} gone`);
    for (const name of added) console.log(`  + ${name}`);
    for (const name of gone) console.log(`  - ${name}`);
  }
}
