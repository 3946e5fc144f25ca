import { z } from 'zod';
import { line } from '../line.ts';

/** The ways to prove who one is after the first way to sign in. `RECOVERY`: a code from the list for emergencies. */
export const FACTOR_WAYS = ['PASSKEY', 'TOTP', 'MAIL', 'SMS', 'RECOVERY'] as const;
export type FactorWay = (typeof FACTOR_WAYS)[number];
/** The ways that are a typed code. */
export const CODE_WAYS = ['TOTP', 'MAIL', 'SMS', 'RECOVERY'] as const;
export type CodeWay = (typeof CODE_WAYS)[number];
/** The ways by which the server sends a code. */
export const SENT_WAYS = ['MAIL', 'SMS'] as const;
export type SentWay = (typeof SENT_WAYS)[number];

/** How a session met the demand for a second factor; `REMEMBERED`: on a device that its owner had it remember. */
export const FACTOR_MARKS = [...FACTOR_WAYS, 'REMEMBERED'] as const;
export type FactorMark = (typeof FACTOR_MARKS)[number];

/**
 * Who is asked: no one; people who have set one up; administrators; people with certain roles; all. `admins`, `roles`
 * and `all` include people who have set one up.
 */
export const SECOND_FACTOR_FOR = ['off', 'own', 'admins', 'roles', 'all'] as const;
export type SecondFactorFor = (typeof SECOND_FACTOR_FOR)[number];

/** A network such as `10.0.0.0/8` or `2001:db8::/32`. */
export const network = z.union([z.cidrv4(), z.cidrv6()]);
const networks = z.array(network).max(100);

/** A country, region or site, by its networks. */
export const place = z.object({ name: line().min(1).max(60), networks: networks.min(1) });
export type Place = z.infer<typeof place>;

/** When the people of a tenant are asked for a second factor. */
export const secondFactorSettings = z.object({
  askedOf: z.enum(SECOND_FACTOR_FOR),
  /** With `roles`: which. */
  roleIds: z.array(z.uuid()).max(50),
  /** Whether codes by mail and text message count as a second factor. */
  codes: z.array(z.enum(SENT_WAYS)).max(SENT_WAYS.length),
  /**
   * Whether a passkey alone is enough: it is something that a person has, and its device has verified the person. If
   * not, a sign-in by a passkey is asked for another factor whenever one is due.
   */
  passkeyAlone: z.boolean().default(true),
  /** Networks from which it is not asked. */
  networks,
  /**
   * Also asked on a device that the account has not used, or in a place where it has not been; of people who have a way
   * to answer, from all networks.
   */
  onNewDevice: z.boolean(),
  onNewPlace: z.boolean(),
  /** The first one that contains an address is its place. */
  places: z
    .array(place)
    .max(100)
    .refine((list) => new Set(list.map(({ name }) => name)).size === list.length),
});
export type SecondFactorSettings = z.infer<typeof secondFactorSettings>;

export const initialSecondFactor: SecondFactorSettings = {
  askedOf: 'own',
  roleIds: [],
  codes: [],
  passkeyAlone: true,
  networks: [],
  onNewDevice: false,
  onNewPlace: false,
  places: [],
};
