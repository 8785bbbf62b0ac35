import { kind } from './kind.ts';

export const location = kind('location', {
  content: ({ latitude, longitude, loc_name: name, loc_address: address }) => ({
    kind: 'location',
    latitude,
    longitude,
    ...(name ? { name } : {}),
    ...(address ? { address } : {}),
  }),
});
