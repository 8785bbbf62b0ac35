import path from 'node:path';
import { defineConfig } from 'vite';
import { contractModule } from './build/contract-module.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  plugins: [contractModule()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2024',
    // A strict content security policy forbids data: fonts and scripts; small files are files too.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'link.html'].map((page) => path.join(import.meta.dirname, page)),
    },
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      '^/(portal/api|operator/v1|docs)': 'http://127.0.0.1:8080',
    },
  },
});
