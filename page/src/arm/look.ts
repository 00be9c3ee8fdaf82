// Colours and sizes of the view, by light and by dark.
export interface Look {
  background: number;
  grid: [number, number];
  base: number;
  joint: number;
  tool: number;
  links: number[];
  lit: number;
  text: string;
  axis: number;
  gravity: number;
  centre: number;
  ellipsoid: number;
  path: number;
}
const LINKS = [0x2f6fb0, 0xd0672b, 0x3c9a5f, 0xa3518c, 0xc2a12a, 0x3b9db3, 0x8a5fc0];
export const LIGHT: Look = {
  background: 0xf6f7f9,
  grid: [0x9aa3b0, 0xd5dae1],
  base: 0x7b8798,
  joint: 0x3d4a5c,
  tool: 0x111827,
  links: LINKS,
  lit: 0xffb000,
  text: "#111827",
  axis: 0x374151,
  gravity: 0xb42318,
  centre: 0x111827,
  ellipsoid: 0x4b5563,
  path: 0xb45309,
};
export const DARK: Look = {
  background: 0x14181f,
  grid: [0x5b6472, 0x2a313c],
  base: 0x8b97a8,
  joint: 0xaab4c1,
  tool: 0xf3f4f6,
  links: [0x5b9bdc, 0xf08a4b, 0x5fc287, 0xcb7ab4, 0xe0c04f, 0x63c4d8, 0xad86e0],
  lit: 0xffd23f,
  text: "#f3f4f6",
  axis: 0xd1d5db,
  gravity: 0xff8a80,
  centre: 0xf9fafb,
  ellipsoid: 0xd1d5db,
  path: 0xfbbf24,
};
/** Sizes as parts of the arm's reach. */
export const SIZE = { rod: 0.022, drum: 0.04, drumLength: 0.1, tool: 0.034, frame: 0.13, axis: 0.3, centre: 0.026, arrow: 0.3 };

export function linkColour(look: Look, link: number): number {
  return link < 0 ? look.base : look.links[link % look.links.length]!;
}
