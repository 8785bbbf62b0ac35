/** The two names that the node takes from n8n itself, whose own package brings 150 MB along. */
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
