/** The kit that all pages are built with. Charts are apart (`ui/charts`), so that pages without any do not load them. */
export { Badge, type Tone } from './badge.tsx';
export { Button, LinkButton } from './button.tsx';
export { complaintAbout } from './complaint.ts';
export { CodePanel, CopyButton, SecretPanel } from './copy.tsx';
export { Actions, ConfirmDialog, Dialog, FormDialog } from './dialog.tsx';
export { Empty } from './empty.tsx';
export { ErrorNote, Note } from './error-note.tsx';
export { CheckField, RadioField, SelectField, TextField } from './field.tsx';
export { Form } from './form.tsx';
export * from './format.ts';
export { Icon, type IconName } from './icon.tsx';
export { Loaded, Skeleton } from './loaded.tsx';
export { Card, Fact, Facts, PageHead } from './page.tsx';
export { SearchField } from './search-field.tsx';
export { Segments } from './segments.tsx';
export { type Column, Table } from './table.tsx';
export { Ago, When } from './time.tsx';
export { Toasts, toast } from './toast.tsx';
