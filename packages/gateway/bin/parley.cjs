#!/usr/bin/env node
// Plain CommonJS that any Node.js can run: it starts the gateway on the Node.js that Parley needs, or says what to install.
'use strict';

const { spawn } = require('node:child_process');
const { existsSync, readdirSync, statSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const NEEDED_MAJOR = 24;
/** Tests, and what only they need, are in no bundle. */
const OF_TESTS = /\.test\.tsx?$|(?:^|[\\/])testing(?:[\\/]|$)/;

/** Runs the command that was given to this process, from the bundle or from the sources. */
function launch(fromBundle) {
  if (!isNewEnough()) return runElsewhere();
  endOnEarlySignals();
  // Keeps what was compiled for the next start, among our own files, because others must not put code there. Where it cannot, it
  // does without. By the variable also in the threads, which the call alone does not reach.
  // biome-ignore lint/style/noProcessEnv: it is a variable of Node.js, and is set before there is anything to read settings
  process.env.NODE_COMPILE_CACHE ??= path.join(__dirname, '..', 'node_modules', '.cache', 'compiled');
  require('node:module').enableCompileCache();
  if (!fromBundle) return import('../src/main.ts');
  require('./code-cache.cjs');
  require('../dist/main.cjs');
}

/** Linux drops signals that process 1 of a container does not handle: these end it, unless a command handles them itself. */
function endOnEarlySignals() {
  if (process.pid !== 1) return;
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + os.constants.signals[signal]);
    });
}

function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR;
}

/** On the Node.js that npm installed, where this one is too old. */
function runElsewhere() {
  const node = bundledNode();
  if (node) return runWith(node);
  process.stderr.write(
    `parley needs Node.js ${NEEDED_MAJOR} or newer (this is ${process.version}); install it or run npm ci.\n`,
  );
  process.exitCode = 1;
}

/** Whether `npm start` has put these very sources into a bundle, which starts in half the time. A package may have nothing else. */
function isBundled() {
  const packages = path.join(__dirname, '../..');
  const bundle = statSync(path.join(__dirname, '../dist/.built-from'), { throwIfNoEntry: false });
  if (!bundle) return false;
  const sources = ['codecs', 'contract', 'gateway', 'sandbox', 'sdk', 'signal'].map((name) =>
    path.join(packages, name, 'src'),
  );
  return [path.join(packages, '../package-lock.json'), ...sources].every(
    (each) => !existsSync(each) || isUntouched(each, bundle.mtimeMs),
  );
}

/** Of a folder also what is in it; a file that was removed shows in the time of its folder. */
function isUntouched(file, since) {
  const found = statSync(file);
  if (found.mtimeMs > since) return false;
  if (!found.isDirectory()) return true;
  return readdirSync(file).every((name) => OF_TESTS.test(name) || isUntouched(`${file}/${name}`, since));
}

/** The Node.js that npm installed for this platform, if there is one. */
function bundledNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  try {
    const manifest = require.resolve(`node-${platform}-${process.arch}/package.json`);
    return path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    return undefined;
  }
}

function runWith(node) {
  const child = spawn(node, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}

module.exports = { isBundled, launch, OF_TESTS };
if (require.main === module) launch(isNewEnough() && isBundled());
