/**
 * Entry of `npm start`: builds if a file was written since the last build, then runs the launcher. Plain CommonJS in the
 * launcher's process: a process of its own with type stripping would take five times as long as the check.
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
/** Its time is that of the newest source in the build. */
const LOOKED = path.join(ROOT, 'node_modules/.cache/parley-built');
const NOT_SOURCES = /^(dist.*|node_modules|testing)$/;

function isUntouched() {
  const looked = statSync(LOOKED, { throwIfNoEntry: false });
  return (
    Boolean(looked) && BUILT.every((stamp) => existsSync(stamp)) && sources().every(isOlder(looked.mtimeMs))
  );
}

/** A superset of the sources; the build checks precisely what has to be made. */
function sources() {
  const packages = path.join(ROOT, 'packages');
  const own = readdirSync(packages).map((name) => path.join(packages, name));
  return [path.join(ROOT, 'package-lock.json'), __dirname, ...[__dirname, ...own].flatMap(inside)];
}

/** Files and folders below a folder; a removed file changes the time of its folder. */
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

/** Whether an up-to-date bundle exists. */
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
