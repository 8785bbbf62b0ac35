import { deliveryWindow } from './delivery-window.ts';

export const readings = [deliveryWindow];
