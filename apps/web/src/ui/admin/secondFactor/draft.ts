import type { Place, SecondFactorSettings } from '@rmeet/contract';
import type { useTexts } from '../../../lib/i18n/index.ts';
import type { FieldErrors } from '../useForm.ts';
import './texts.ts';

/** The second factor in the form: networks and places are lines of text. */
export interface SecondFactorDraft {
  secondFactor: Omit<SecondFactorSettings, 'networks' | 'places'>;
  factorNetworks: string;
  /** `Name: 10.0.0.0/8, 10.1.0.0/16` */
  factorPlaces: string;
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Whether a text is a network: `10.0.0.0/8`, `2001:db8::/32`. */
function isNetwork(text: string): boolean {
  const [base = '', bits = '', ...rest] = text.split('/');
  const isV4 = /^\d{1,3}(\.\d{1,3}){3}$/.test(base) && base.split('.').every((part) => Number(part) <= 255);
  const isV6 = base.includes(':') && URL.canParse(`http://[${base}]/`);
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && ((isV4 && Number(bits) <= 32) || (isV6 && Number(bits) <= 128));
}

const wordsOf = (text: string): string[] => text.split(/[\s,，、;；]+/).filter((word) => word !== '');

/** A line of places: the name before the first colon after which all is networks. */
function placeOf(line: string): Place | null {
  const at = line.search(/[:：]\s*\d|[:：]\s+[\da-f]*:/i);
  const name = line.slice(0, at).trim();
  const networks = wordsOf(line.slice(at + 1));
  return at > 0 && name !== '' && name.length <= 60 && networks.length > 0 && networks.every(isNetwork)
    ? { name, networks }
    : null;
}

export function factorDraftOf({ networks, places, ...secondFactor }: SecondFactorSettings): SecondFactorDraft {
  return {
    secondFactor,
    factorNetworks: networks.join('\n'),
    factorPlaces: places.map(({ name, networks: of }) => `${name}: ${of.join(', ')}`).join('\n'),
  };
}

export function factorBody(draft: SecondFactorDraft): SecondFactorSettings {
  return {
    ...draft.secondFactor,
    networks: wordsOf(draft.factorNetworks),
    places: linesOf(draft.factorPlaces)
      .map(placeOf)
      .filter((place) => place !== null),
  };
}

/** The first network, place or choice that is not right; undefined if all are. */
const wrongNetwork = (text: string): string | undefined => wordsOf(text).find((word) => !isNetwork(word));
function wrongPlace(text: string): string | undefined {
  const names = new Set<string>();
  return linesOf(text).find((line) => {
    const place = placeOf(line);
    const isWrong = place === null || names.has(place.name);
    if (place) names.add(place.name);
    return isWrong;
  });
}
const lacksRole = ({ askedOf, roleIds }: SecondFactorDraft['secondFactor']): boolean =>
  askedOf === 'roles' && roleIds.length === 0;

/** The errors of a draft, or of a form without these fields. */
export function secondFactorFaults(
  { secondFactor, factorNetworks, factorPlaces }: Partial<SecondFactorDraft>,
  t: ReturnType<typeof useTexts<'secondFactor'>>,
): FieldErrors<SecondFactorDraft> {
  const [network, place] = [wrongNetwork(factorNetworks ?? ''), wrongPlace(factorPlaces ?? '')];
  return {
    ...(secondFactor && lacksRole(secondFactor) && { secondFactor: t('noRole') }),
    ...(network !== undefined && { factorNetworks: t('wrongNetwork', { network }) }),
    ...(place !== undefined && { factorPlaces: t('wrongPlace', { place }) }),
  };
}
