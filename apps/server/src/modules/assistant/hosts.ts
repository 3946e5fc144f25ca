import { hostOf, isInside, isNamedIn } from '../../platform/outbound/index.ts';

/**
 * Which servers the assistant may use, because administrators of tenants choose them: language models on the public
 * internet by https, and what the server's configuration names (RMEET_ASSISTANT_HOSTS). Outside pages have to be named,
 * because the pages of the product may show frames of these hosts only.
 */
export function createAssistantHosts(named: readonly string[]) {
  const isPlain = (url: string): boolean => {
    const { username, password } = new URL(url);
    return username === '' && password === '';
  };
  return {
    /** Whether the configuration names the host, so that it may be inside the network. */
    isTrusted: (url: string): boolean => isNamedIn(named, url),
    allowsModel: (url: string): boolean =>
      isPlain(url) && (isNamedIn(named, url) || (url.startsWith('https:') && !isInside(hostOf(url)))),
    allowsPage: (url: string): boolean => isPlain(url) && isNamedIn(named, url),
  };
}

export type AssistantHosts = ReturnType<typeof createAssistantHosts>;
