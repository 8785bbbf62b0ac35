// Loads the bundle from what V8 has made of it already. Node.js can keep such code too, but only of functions that run as a file is
// loaded, and a start would compile the thousands of others that it calls once more. Each thread has files of its own, because
// each calls others; the build makes them (`tools/build/code-cache.ts`).
'use strict';

const { chmodSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');
const { threadName } = require('node:worker_threads');

const HEAD = '(function (exports, require, module, __filename, __dirname) { ';
const TAIL = '\n})';
/** Files with a hash of their content in the name. V8 checks only the length of a file, so it would run stale code of any other. */
const HAS_HASH = /\.[\w-]{8}\.cjs$/;
/** Threads that host numbers run what the main thread does. */
const THREAD = threadName?.startsWith('store-') ? threadName : 'main';
/** V8 would refuse what another version of it has made, or the same one with other switches: such a file has another name. */
const ENDING = `${THREAD}.${v8.cachedDataVersionTag().toString(16)}.code`;

const withoutCache = require.extensions['.js'];
const recorded = new Map();
// biome-ignore lint/style/noProcessEnv: it is for the build alone, and is read before there is anything to read settings
const isRecording = process.env.CODE_CACHE === 'record';

require.extensions['.cjs'] = (module, file) => {
  const cache = file.replace(/cjs$/, ENDING);
  const isKept = HAS_HASH.test(file) && (isRecording || existsSync(cache));
  // Only Node.js itself looks for the lines of the sources.
  if (!isKept || process.sourceMapsEnabled) return withoutCache(module, file);
  const script = new vm.Script(HEAD + readFileSync(file, 'latin1') + TAIL, {
    filename: file,
    columnOffset: -HEAD.length,
    cachedData: isRecording ? undefined : readFileSync(cache),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (isRecording) recorded.set(cache, script);
  const { exports } = module;
  script.runInThisContext().call(exports, exports, createRequire(file), module, file, path.dirname(file));
};

/** What was called until the end is kept. */
function write() {
  for (const [file, script] of recorded) {
    writeFileSync(file, script.createCachedData());
    // Part of the package, which every user may read, unlike what a gateway writes.
    chmodSync(file, 0o644);
  }
}

if (isRecording) process.once('exit', write);
