import {
  deviceOf,
  type CreatedPasskey,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
  type UsedPasskey,
} from '@rmeet/contract';
import { loadChunk } from './chunks.ts';

/** Loaded with the first passkey. */
const library = () => loadChunk(() => import('@simplewebauthn/browser'));
type Library = Awaited<ReturnType<typeof library>>;

const IP = /^\[|^\d+(\.\d+){3}$/;

/** Why a browser gives no passkey: `known`: the device has one of this account already. */
type PasskeyFault = 'cancelled' | 'known' | 'failed';

/** Whether this browser has passkeys, and the address of the page is one for which it allows them. */
export const canUsePasskeys = (): boolean =>
  typeof globalThis.PublicKeyCredential === 'function' && !IP.test(location.hostname);

/** What went wrong in the browser; null for errors of calls. */
export function passkeyFaultOf(error: unknown): PasskeyFault | null {
  if (!(error instanceof Error)) return null;
  // NotAllowedError stands for a refusal by the person as well as for a timeout, so that pages learn nothing.
  const names = new Set([error.name, error.cause instanceof Error ? error.cause.name : '']);
  if (names.has('NotAllowedError') || names.has('AbortError')) return 'cancelled';
  if (names.has('InvalidStateError')) return 'known';
  const isOfBrowser = error instanceof DOMException || error.name === 'WebAuthnError' || error.cause instanceof Error;
  return isOfBrowser || names.has('SecurityError') ? 'failed' : null;
}

/** What a passkey of this browser is called at first: `Chrome · Windows`. */
export function passkeyName(): string {
  const { browser, system } = deviceOf(navigator.userAgent);
  return [browser, system].filter((part) => part !== null).join(' · ') || 'Passkey';
}

/** Has the browser make a passkey. Throws what `passkeyFaultOf` explains. */
export async function createPasskey(options: PasskeyCreationOptions): Promise<CreatedPasskey> {
  const { startRegistration } = await library();
  const optionsJSON = options as Parameters<Library['startRegistration']>[0]['optionsJSON'];
  const { id, rawId, response } = await startRegistration({ optionsJSON });
  const { clientDataJSON, attestationObject, transports } = response;
  return {
    id,
    rawId,
    type: 'public-key',
    response: { clientDataJSON, attestationObject, transports: [...(transports ?? [])] },
  };
}

/** Has the browser ask for a passkey. Throws what `passkeyFaultOf` explains. */
export async function askPasskey(options: PasskeyRequestOptions, fromAutofill = false): Promise<UsedPasskey> {
  const { startAuthentication } = await library();
  const optionsJSON = options as Parameters<Library['startAuthentication']>[0]['optionsJSON'];
  const { id, rawId, response } = await startAuthentication({ optionsJSON, useBrowserAutofill: fromAutofill });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { id, rawId, type: 'public-key', response: { clientDataJSON, authenticatorData, signature, userHandle } };
}

/** Whether the browser offers passkeys among the suggestions of a field. */
export async function canAutofillPasskeys(): Promise<boolean> {
  return canUsePasskeys() && (await library()).browserSupportsWebAuthnAutofill();
}

/** Ends the question that the browser asks, if there is one. */
export async function stopAsking(): Promise<void> {
  (await library()).WebAuthnAbortService.cancelCeremony();
}
