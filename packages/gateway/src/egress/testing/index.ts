export { startHttpProxy, startSocksProxy, type TestProxy, type TestProxyOptions } from './proxies.ts';
