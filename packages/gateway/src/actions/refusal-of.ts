import { NetworkError, type NetworkErrorKind } from '#network';

/** How the network refuses a call; undefined when it does not, or when the call did not get that far. */
export async function refusalOf(call: Promise<unknown>): Promise<NetworkErrorKind | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return error instanceof NetworkError ? error.kind : undefined;
  }
}
