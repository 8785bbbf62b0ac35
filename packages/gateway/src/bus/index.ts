export { createLocalBus } from './local.ts';
export {
  type Bus,
  BusUnreachable,
  CallTimedOut,
  NobodyServes,
  type Subscription,
} from './port.ts';
export { offerBus, reachBus } from './threads/index.ts';
