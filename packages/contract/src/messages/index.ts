export { Button, type ButtonType } from './buttons.ts';
export { DISAPPEARING_SECONDS, type DisappearingTimer } from './disappearing.ts';
export * from './kinds.ts';
export { featuresOf, parseSend, typeOfSend } from './parse.ts';
export { STATUS_TYPES } from './status.ts';
