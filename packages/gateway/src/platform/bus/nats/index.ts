export type { NatsSettings } from './connect.ts';
export { connectNatsBus } from './nats-bus.ts';
