export { type App, createApp } from './create-app.ts';
export type { Dependencies } from './foundation.ts';
