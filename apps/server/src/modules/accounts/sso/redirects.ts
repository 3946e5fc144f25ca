import { FileAnswer } from '../../../platform/http/index.ts';

/** The page that takes the answers of identity providers. */
const PAGE = '/#/sso';

/** Leads to the page with what a provider sent: in the fragment, which reaches no server and no log. */
export function toPage(sent: Record<string, string | undefined>): FileAnswer {
  const given = Object.entries(sent).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  return FileAnswer.at(`${PAGE}?${new URLSearchParams(given).toString()}`, 0);
}
