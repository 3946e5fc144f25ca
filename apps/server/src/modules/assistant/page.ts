import { createHmac } from 'node:crypto';
import { ASSISTANT_PAGE, ASSISTANT_PAGE_WITHIN, type Locale } from '@rmeet/contract';

/** The address of the assistant's own page, which knows the caller by its session. */
export const ownPage = (origin: string): string => `${origin}${ASSISTANT_PAGE}`;

interface Visitor {
  userId: string;
  account: string;
  name: string;
  tenantId: string;
  locale: Locale;
}

/**
 * The address of an outside page for one account. `signature` is HMAC-SHA-256 (RFC 2104), hexadecimal, with the
 * organisation's secret as key, over the other parameters that are added here, in this order and encoded as they are in
 * the address (`application/x-www-form-urlencoded`). `expires` is in ms since 1970.
 */
export function outsidePage(url: string, secret: string, visitor: Visitor, now: Date): string {
  const signed = new URLSearchParams({
    tenant: visitor.tenantId,
    user: visitor.userId,
    account: visitor.account,
    name: visitor.name,
    language: visitor.locale,
    expires: String(now.getTime() + ASSISTANT_PAGE_WITHIN),
  }).toString();
  const signature = createHmac('sha256', secret).update(signed).digest('hex');
  const address = new URL(url);
  const own = address.search === '' ? '' : `${address.search.slice(1)}&`;
  address.search = `${own}${signed}&signature=${signature}`;
  return address.href;
}
