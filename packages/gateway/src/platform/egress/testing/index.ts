export * from './guarded-file.ts';
export { startHttpProxy, startSocksProxy, type TestProxy } from './proxies.ts';
