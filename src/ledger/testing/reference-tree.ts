/**
 * The reference tree of Certificate Transparency and its known answers.
 * Source: google/certificate-transparency, cpp/merkletree/merkle_tree_test.cc (inputs and roots), and
 * transparency-dev/merkle, proof/verify_test.go (the same tree, with inclusion and consistency proofs; its leaf
 * numbers start at 1 and are given here from 0).
 */
export const emptyRoot = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export const inputs: readonly Buffer[] = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => Buffer.from(hex, 'hex'));

/** The root of the first n + 1 inputs. */
export const roots: readonly string[] = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const first4 = 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7';
const leaf1 = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7';
const leaves2and3 = '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e';
const leaf4 = 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b';
const leaves4to7 = '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4';
const leaves4and5 = '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a';
const leaves6and7 = 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0';
const leaf6 = 'b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f';

export const inclusions: readonly { index: number; size: number; proof: string[] }[] = [
  { index: 0, size: 1, proof: [] },
  { index: 0, size: 8, proof: [leaf1, leaves2and3, leaves4to7] },
  { index: 5, size: 8, proof: [leaf4, leaves6and7, first4] },
  { index: 2, size: 3, proof: ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'] },
  { index: 1, size: 5, proof: [roots[0] as string, leaves2and3, leaf4] },
];

export const consistencies: readonly { from: number; to: number; proof: string[] }[] = [
  { from: 1, to: 1, proof: [] },
  { from: 1, to: 8, proof: [leaf1, leaves2and3, leaves4to7] },
  { from: 6, to: 8, proof: [leaves4and5, leaves6and7, first4] },
  { from: 2, to: 5, proof: [leaves2and3, leaf4] },
  { from: 6, to: 7, proof: [leaves4and5, leaf6, first4] },
];
