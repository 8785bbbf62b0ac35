/** Icons on a 24 px grid, with one line width, in the text's colour. */
const PATHS = {
  phone: 'M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 18h2',
  key: 'M15 9m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0M11.5 12.5L4 20M6 18l2 2M8.5 15.5l2 2',
  webhook:
    'M9 8a3.5 3.5 0 1 1 5 3.2l3 5M7 12a3.5 3.5 0 1 0 3.4 4.5H16M12 8.5l-3.5 6M17.5 13a3.5 3.5 0 1 1-2.6 5.8',
  send: 'M4 12L20 4l-5 16-4-6-7-2zM11 14l9-10',
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  sandbox:
    'M7 3h5a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 12 15H7a1.5 1.5 0 0 1-1.5-1.5v-9A1.5 1.5 0 0 1 7 3zM16.5 9H17a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 17 21h-5a1.5 1.5 0 0 1-1.5-1.5V18',
  gauge: 'M4 18a8.5 8.5 0 1 1 16 0M12 14l4-4M12 14m-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
  people:
    'M9 8m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M2.5 20a6.5 6.5 0 0 1 13 0M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14.5a6.5 6.5 0 0 1 3.5 5.5',
  server:
    'M5 4h14a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM5 13h14a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1zM7.5 7.5h.01M7.5 16.5h.01',
  inbox: 'M4 13l3-8h10l3 8v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM4 13h5l1 2h4l1-2h5',
  document: 'M7 3h7l4 4v13a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM14 3v4h4M9 12h6M9 16h6',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  refresh: 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6',
  unlink: 'M9 15l-2 2a3.5 3.5 0 0 1-5-5l3-3M15 9l2-2a3.5 3.5 0 0 1 5 5l-3 3M4 4l16 16',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2',
  dots: 'M5 12h.01M12 12h.01M19 12h.01',
  user: 'M12 8m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4.5 20.5a7.5 7.5 0 0 1 15 0',
  menu: 'M4 7h16M4 12h16M4 17h16',
  external: 'M14 5h5v5M19 5l-8 8M17 14v5H5V7h5',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  info: 'M12 12m-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 11v5M12 8h.01',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  print: 'M7 9V4h10v5M7 17H5a1 1 0 0 1-1-1v-5a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v5a1 1 0 0 1-1 1h-2M7 14h10v6H7z',
  chevron: 'M9 6l6 6-6 6',
  back: 'M15 6l-6 6 6 6',
  search: 'M11 11m-6.5 0a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M16 16l4.5 4.5',
  call: 'M6 3h3l2 5-2.5 1.5a11 11 0 0 0 5 5L15 12l5 2v3a3 3 0 0 1-3 3A14 14 0 0 1 4 6a3 3 0 0 1 2-3z',
  video: 'M4 6h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM15 10.5l6-3.5v10l-6-3.5',
  checks: 'M2 12.5l4.5 4.5L15 7.5M11.5 16l1 1L22 7.5',
  attach:
    'M19 11l-7.5 7.5a4.5 4.5 0 0 1-6.4-6.4L13 4.3a3 3 0 0 1 4.2 4.2l-7.7 7.8a1.5 1.5 0 0 1-2.1-2.1L14 7.5',
  smile: 'M12 12m-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0M8 14a4.5 4.5 0 0 0 8 0M9 9.5h.01M15 9.5h.01',
  reply: 'M10 6L4 12l6 6M4 12h10a6 6 0 0 1 6 6',
  card: 'M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM3 10h18M6.5 14.5h4',
  pencil: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  pin: 'M12 21c4.5-5 7-8.5 7-11.5a7 7 0 1 0-14 0C5 12.5 7.5 16 12 21zM12 9.5m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0',
  poll: 'M5 5h14M5 12h9M5 19h5',
  bolt: 'M13 3L5 14h6l-1 7 8-11h-6z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
