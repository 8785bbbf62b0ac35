export type { NatsSettings } from './connect.ts';
export { connectNatsBus, type NatsBusParts } from './nats-bus.ts';
