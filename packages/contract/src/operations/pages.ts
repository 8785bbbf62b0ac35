import Type from 'typebox';
import { ID_MAX_LENGTH, LIST_PAGE_MAX } from '../limits.ts';
import { oneLine } from '../schema.ts';

/** Query of a paged list. Without it the answer is the first page, of maximum length. */
export const listPage = {
  cursor: Type.Optional(
    Type.String({
      maxLength: ID_MAX_LENGTH,
      ...oneLine,
      description: '`next_cursor` of the page before; absent for the first page.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIST_PAGE_MAX, default: LIST_PAGE_MAX })),
};
