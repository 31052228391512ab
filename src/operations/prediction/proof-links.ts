// Addresses of what shows a sealed entry: its proof for machines, its page for people.
import Type, { type Static } from 'typebox';

export const proofAddresses = {
  proof_url: Type.String({ format: 'uri', description: 'the entry with its inclusion proof' }),
  page_url: Type.String({ format: 'uri', description: 'its page, which checks the proof in the browser' }),
};

const addresses = Type.Object(proofAddresses);
export type ProofLinks = Static<typeof addresses>;

export const proofLinks = (baseUrl: string, id: string): ProofLinks => ({
  proof_url: `${baseUrl}/api/ledger/proof/${id}`,
  page_url: `${baseUrl}/ledger/${id}`,
});
