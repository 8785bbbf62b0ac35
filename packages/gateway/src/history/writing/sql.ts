/** SQL of both dialects, in an upsert of a chat `c`: what one more message, or some, changes. */
export const KEEP_LAST = `
  last_seq = CASE WHEN (excluded.last_at, excluded.last_seq) > (c.last_at, c.last_seq) THEN excluded.last_seq ELSE c.last_seq END,
  last_at = CASE WHEN excluded.last_at > c.last_at THEN excluded.last_at ELSE c.last_at END,
  oldest_at = CASE WHEN c.messages = 0 OR excluded.oldest_at < c.oldest_at THEN excluded.oldest_at ELSE c.oldest_at END,
  messages = c.messages + excluded.messages,
  bytes = c.bytes + excluded.bytes`;

/** An own message shows that what came before it was read. */
export const UNREAD = 'unread = CASE excluded.unread WHEN 0 THEN 0 ELSE c.unread + excluded.unread END';
