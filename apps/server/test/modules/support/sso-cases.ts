import { identityProvider } from '../../../src/modules/accounts/sso/tables.ts';
import { identityProviders } from '@rmeet/contract';
import { newId } from '../../../src/platform/db/index.ts';
import { all, named, type Case, type Expected, type Setting } from './case-setting.ts';

/** Administrators only: the right to settings alone does not suffice. */
const byAdmin: Expected = { ...all, delegate: 'FORBIDDEN' };
const ofNorthAdmin: Expected = { ...byAdmin, foreignAdmin: 'NOT_FOUND' };

const settings = { kind: 'OIDC' as const, issuer: 'https://id.example.org', clientId: 'rmeet' };
const body = () => ({ name: named('provider'), settings, secret: 'a secret' });
const { rules } = identityProviders.create.input.body.parse(body());

/** Rules that give a role. */
const withRole = ({ staffRole }: Setting) => ({
  rules: { ...rules, roles: [{ value: 'staff', roleId: staffRole }] },
});

/** A provider of `north` that is not asked. */
async function newProvider({ server, north }: Setting): Promise<string> {
  const id = newId();
  await server.db.tenant(north, (tx) =>
    tx.insert(identityProvider, {
      id,
      kind: 'OIDC',
      name: named('provider'),
      settings: { ...settings, clientAuth: 'none', scopes: '', logout: true },
      rules,
      createdAt: server.clock.now(),
    }),
  );
  return id;
}

/** Metadata of a provider that no one calls. */
const samlMetadata =
  '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://id.example.org">' +
  '<IDPSSODescriptor><KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#">' +
  '<X509Data><X509Certificate>MIIB</X509Certificate></X509Data></KeyInfo></KeyDescriptor>' +
  '<SingleSignOnService Location="https://id.example.org/sso" ' +
  'Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"/></IDPSSODescriptor></EntityDescriptor>';

const unknownAnswer = { state: 'unknown', secret: 'unknown', code: 'unknown' };

export const ssoCases: Record<string, Case> = {
  'sso.start': { expected: { others: 'SSO_UNKNOWN' }, args: () => ({ body: { providerId: newId() } }) },
  'sso.callback': { expected: all, args: () => ({ query: { state: 'unknown', code: 'unknown' } }) },
  'sso.verifyToToken': { expected: { others: 'SSO_EXPIRED' }, args: () => ({ body: unknownAnswer }) },
  'sso.identities': { expected: all, args: () => ({}) },
  'sso.startLink': {
    expected: { foreignAdmin: 'SSO_UNKNOWN', others: 'SSO_UNKNOWN' },
    args: () => ({ body: { providerId: newId() } }),
  },
  'sso.link': { expected: { others: 'SSO_EXPIRED' }, args: () => ({ body: unknownAnswer }) },
  'sso.unlink': { expected: { others: 'NOT_FOUND' }, args: () => ({ params: { id: newId() } }) },
  'sso.backchannelLogout': {
    expected: { others: 'SSO_UNKNOWN' },
    args: () => ({ params: { providerId: newId() }, body: { logout_token: 'unknown' } }),
  },
  'sso.samlMetadata': { expected: { others: 'SSO_UNKNOWN' }, args: () => ({ params: { providerId: newId() } }) },
  'sso.samlAnswer': {
    expected: { others: 'SSO_UNKNOWN' },
    args: () => ({ params: { providerId: newId() }, body: { SAMLResponse: 'unknown' } }),
  },
  'sso.samlLogout': {
    expected: { others: 'SSO_UNKNOWN' },
    args: () => ({ params: { providerId: newId() }, query: { SAMLRequest: 'unknown' } }),
  },
  'sso.casCallback': { expected: all, args: () => ({ params: { providerId: newId() }, query: { ticket: 'unknown' } }) },
  'sso.casLogout': {
    expected: { others: 'SSO_UNKNOWN' },
    args: () => ({ params: { providerId: newId() }, body: { logoutRequest: 'unknown' } }),
  },
  'identityProviders.list': { expected: all, args: () => ({}) },
  'identityProviders.create': { expected: byAdmin, args: (setting) => ({ body: { ...body(), ...withRole(setting) } }) },
  'identityProviders.update': {
    expected: ofNorthAdmin,
    args: async (setting) => ({
      params: { id: await newProvider(setting) },
      body: { ...body(), ...withRole(setting), name: named('changed'), version: 1 },
    }),
  },
  'identityProviders.remove': {
    expected: ofNorthAdmin,
    args: async (setting) => ({ params: { id: await newProvider(setting) } }),
  },
  // Refused by the outbound gate, before anything is called.
  'identityProviders.check': {
    expected: byAdmin,
    args: () => ({ body: { settings: { ...settings, issuer: 'http://id.example.org' } } }),
  },
  'identityProviders.readSamlMetadata': { expected: byAdmin, args: () => ({ body: { xml: samlMetadata } }) },
};
