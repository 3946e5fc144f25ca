import { networkInterfaces } from 'node:os';

/** An address of this machine besides loopback; loopback if there is no other. */
export function outerAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
