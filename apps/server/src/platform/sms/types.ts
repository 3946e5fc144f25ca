import type { SmsGateway } from '@rmeet/contract';

/** A gateway as it is called: its secret in the open, and whether it was set by whoever runs the server. */
export interface Gateway extends SmsGateway {
  secret: string;
  /** Of the server's own configuration; it may be anywhere, also inside the network. */
  isTrusted: boolean;
}

export interface TextMessage {
  phone: string;
  text: string;
}

/** The gateway will not take this message, however often it is tried. */
export class SmsRefused extends Error {
  override readonly name: string = 'SmsRefused';
}

/** The gateway is at an address where the platform lets no tenant's gateway be. */
export class SmsForbidden extends SmsRefused {
  override readonly name = 'SmsForbidden';
}

/** Sends text messages through HTTP gateways. */
export interface Sms {
  /** The gateway of the server's configuration (RMEET_SMS_GATEWAY), for tenants without one of their own. */
  readonly ofPlatform: Gateway | null;
  /**
   * Whether a tenant's gateway may be at this URL, as far as the URL alone tells: what its name stands for is looked at
   * when it is called.
   */
  mayBeAt(url: string): boolean;
  /**
   * Hands a message to a gateway and waits for its answer.
   *
   * @throws SmsForbidden, or SmsRefused when trying again is of no use; another error when it may be
   */
  send(gateway: Gateway, message: TextMessage): Promise<void>;
}
