/** The two names that the node imports from n8n, whose own package weighs 150 MB. */
class NodeError extends Error {
  readonly description: string | undefined;

  constructor(_node: unknown, message: string, { description }: { description?: string } = {}) {
    super(message);
    this.description = description;
  }
}

export class NodeOperationError extends NodeError {}

export class NodeApiError extends NodeError {
  constructor(node: unknown, { message, description }: { message: string; description?: string }) {
    super(node, message, description === undefined ? {} : { description });
  }
}
