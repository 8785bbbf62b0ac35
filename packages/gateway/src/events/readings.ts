import { deliveryWindows } from './delivery-windows.ts';

export const readings = [deliveryWindows];
