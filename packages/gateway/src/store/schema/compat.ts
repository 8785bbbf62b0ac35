export interface CompatTables {
  compat_names: CompatNameRow;
  compat_templates: CompatTemplateRow;
}

/** A text that an account sends by its name. */
export interface CompatTemplateRow {
  account_id: string;
  name: string;
  language: string;
  /** JSON, sealed. */
  definition: Uint8Array;
}

/** Under which name another program's interface knows a number. */
export interface CompatNameRow {
  account_id: string;
  /** Whose interface it is. */
  surface: string;
  name: string;
  slot_id: string;
  /** What that interface is to remember of it, as JSON, sealed. */
  remembered: Uint8Array;
  created_at: number;
  updated_at: number;
}
