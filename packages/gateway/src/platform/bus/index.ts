export { createLocalBus } from './local.ts';
export {
  type Bus,
  BusUnreachable,
  CallTimedOut,
  NoResponders,
  type Subscription,
} from './port.ts';
export { offerBus, reachBus } from './threads.ts';
