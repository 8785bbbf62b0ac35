export { createLocalBus } from './local.ts';
export { type Bus, CallBroken, CallTimedOut, NobodyServes, type Subscription } from './port.ts';
