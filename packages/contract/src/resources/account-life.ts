import Type from 'typebox';
import { IsoTime } from '../primitives.ts';
import { hasMore, named, nextCursor, nullable, oneOf } from '../schema.ts';

export const AccountExport = named('AccountExport', {
  export_id: Type.String({ examples: ['exp_01j9z6m4k2'] }),
  status: oneOf(['preparing', 'ready', 'failed']),
  progress: Type.Integer({ description: 'In percent of what there is to write.', examples: [60] }),
  rows: Type.Integer({ description: 'Written so far.', examples: [12_480] }),
  size: nullable(Type.Integer(), { description: 'Bytes of the archive, once it is ready.' }),
  asked_at: IsoTime,
  ready_at: nullable(IsoTime),
  expires_at: nullable(IsoTime, { description: 'When the archive is dropped.' }),
});
export type AccountExport = Type.Static<typeof AccountExport>;
export const AccountExportList = named('AccountExportList', {
  exports: Type.Array(AccountExport, { description: 'Newest first.' }),
  has_more: hasMore,
});

export const AccountDeletion = named('AccountDeletion', {
  account_id: Type.String({ examples: ['acc_01j9z6m4k2'] }),
  asked_at: IsoTime,
  due_at: Type.String({ ...IsoTime, description: 'From then on it is erased, and there is no way back.' }),
});
export type AccountDeletion = Type.Static<typeof AccountDeletion>;
export const AccountVisit = named('AccountVisit', {
  operator: Type.String({ description: 'Who looks at the account, as they said.', examples: ['Grace'] }),
  until: IsoTime,
});
export type AccountVisit = Type.Static<typeof AccountVisit>;

export const AccountDeletionList = named('AccountDeletionList', {
  deletions: Type.Array(AccountDeletion),
  next_cursor: nextCursor,
});
