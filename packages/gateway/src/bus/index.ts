export { createLocalBus } from './local.ts';
export {
  type Bus,
  BusUnreachable,
  CallBroken,
  CallTimedOut,
  NobodyServes,
  type Subscription,
} from './port.ts';
