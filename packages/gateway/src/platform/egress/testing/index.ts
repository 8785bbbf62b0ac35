export { startHttpProxy, startSocksProxy, type TestProxy } from './proxies.ts';
