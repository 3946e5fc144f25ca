interface Links {
  config: { url: string; watchUrl: string };
  guestUrl: string;
  type?: string;
}

/**
 * The link an invitation carries (product document, section 5): the guest link of a live meeting; the watch link when it
 * is asked for; else the meeting's link with its trailing parameter set to 0.
 */
export function invitationLink({ config, guestUrl, type }: Links, { watch = false } = {}): string {
  if (type === 'LIVE_MEETING') return guestUrl;
  return watch ? config.watchUrl : config.url.replace(/=[^=&]*$/, '=0');
}
