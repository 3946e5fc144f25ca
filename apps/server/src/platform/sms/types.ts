import type { SmsGateway } from '@rmeet/contract';

/** A gateway for calls: its secret decrypted, and whether the server's administrator configured it. */
export interface Gateway extends SmsGateway {
  secret: string;
  /** From the server's own configuration; it may have any address, also inside the network. */
  isTrusted: boolean;
}

export interface TextMessage {
  phone: string;
  text: string;
  /** A code that the text contains, for services that send registered templates. */
  code?: string;
}

/** The gateway permanently rejects this message. */
export class SmsRefused extends Error {
  override readonly name: string = 'SmsRefused';
}

/** The gateway's address is not permitted for tenants' gateways. */
export class SmsForbidden extends SmsRefused {
  override readonly name = 'SmsForbidden';
}

/** Sends text messages through HTTP gateways. */
export interface Sms {
  /** The gateway of the server's configuration (RMEET_SMS_GATEWAY), for tenants without their own. */
  readonly ofPlatform: Gateway | null;
  /**
   * Whether this URL is permitted for a tenant's gateway, as far as the URL shows: the resolved address is checked at
   * call time.
   */
  mayBeAt(url: string): boolean;
  /**
   * Sends a message to a gateway and waits for its response.
   *
   * @throws SmsForbidden, or SmsRefused if a retry is of no use; another error if it may help
   */
  send(gateway: Gateway, message: TextMessage): Promise<void>;
}
