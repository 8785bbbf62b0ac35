export { offerBus } from './offer.ts';
export { reachBus } from './reach.ts';
