/** Recipe of CONTRIBUTING.md, with an example as edits of the sources. */
export interface Recipe {
  /** Its name in `npm test -- recipes -- <name>`. */
  readonly name: string;
  /** Its heading in CONTRIBUTING.md. */
  readonly heading: string;
  /** The subject of the commit that would land the example. */
  readonly subject: string;
  /** Maximum number of edited files, without generated ones. */
  readonly mostFiles: number;
  readonly edits: readonly Edit[];
  /** Paths for `npm test` that check the example, beside the tests of generated files. */
  readonly tests: readonly string[];
}

interface Edit {
  /** From the root. */
  readonly file: string;
  /** Purpose of the edit, for the list in CONTRIBUTING.md. */
  readonly note: string;
  readonly changes: readonly Change[];
}

/** Undefined stands for a file that does not exist yet. */
type Change = (text: string | undefined) => string;

export function create(content: string): Change {
  return (text) => {
    if (text !== undefined) throw new Error('the file exists already');
    return content;
  };
}

/** Each of the following edits finds its place by a text that occurs exactly once. */
export function replace(anchor: string, content: string): Change {
  return (text = '') => {
    const [start = '', end, another] = text.split(anchor);
    if (end === undefined) throw new Error(`the file has no ‘${anchor}’`);
    if (another !== undefined) throw new Error(`the file has ‘${anchor}’ more than once`);
    return start + content + end;
  };
}

export function insertBefore(anchor: string, content: string): Change {
  return replace(anchor, content + anchor);
}

export function insertAfter(anchor: string, content: string): Change {
  return replace(anchor, anchor + content);
}

/** For a place among its like, such as a test among tests. */
export function insertBeforeFirst(anchor: string, content: string): Change {
  return (text = '') => {
    if (!text.includes(anchor)) throw new Error(`the file has no ‘${anchor}’`);
    return text.replace(anchor, () => content + anchor);
  };
}
