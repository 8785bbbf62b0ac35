/**
 * What `npm start` runs: the launcher, after a build where anything was written since the last one. Plain CommonJS in the launcher's own
 * process: another one, and loading what takes types away, would take five times as long as the look itself.
 */
'use strict';

const { spawnSync } = require('node:child_process');
const {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const path = require('node:path');
const { isBundled, launch, OF_TESTS } = require('../../packages/gateway/bin/parley.cjs');

const ROOT = path.join(__dirname, '../..');
const BUILT = ['gateway', 'portal'].map((name) => path.join(ROOT, 'packages', name, 'dist/.built-from'));
/** Its time says until when all that was written is in what was built. */
const LOOKED = path.join(ROOT, 'node_modules/.cache/parley-built');
const NOT_SOURCES = /^(dist.*|node_modules|testing)$/;

function isUntouched() {
  const looked = statSync(LOOKED, { throwIfNoEntry: false });
  return (
    Boolean(looked) && BUILT.every((stamp) => existsSync(stamp)) && sources().every(isOlder(looked.mtimeMs))
  );
}

/** More than a build depends on: it looks for itself what has to be made. */
function sources() {
  const packages = path.join(ROOT, 'packages');
  const own = readdirSync(packages).map((name) => path.join(packages, name));
  return [path.join(ROOT, 'package-lock.json'), __dirname, ...[__dirname, ...own].flatMap(inside)];
}

/** What is in a folder, and in its folders; a file that was removed shows in the time of its folder. */
function inside(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const each = path.join(folder, entry.name);
    if (!entry.isDirectory()) return OF_TESTS.test(entry.name) ? [] : each;
    return NOT_SOURCES.test(entry.name) ? [] : [each, ...inside(each)];
  });
}

const isOlder = (time) => (file) => {
  const { mtimeMs, ctimeMs } = statSync(file);
  return mtimeMs < time && ctimeMs < time;
};

/** Answers whether there is a bundle of these sources now. */
function build() {
  const begun = `${LOOKED}-${process.pid}`;
  mkdirSync(path.dirname(begun), { recursive: true });
  writeFileSync(begun, '');
  const { status } = spawnSync(process.execPath, [path.join(__dirname, 'run.ts')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  const isBuilt = isBundled();
  if (isBuilt) renameSync(begun, LOOKED);
  else rmSync(begun);
  return isBuilt;
}

launch(isUntouched() || build());
