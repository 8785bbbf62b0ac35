/** The most used node for Evolution API. */
export const N8N_NODE = {
  name: 'n8n-nodes-evolution-api',
  version: '1.0.4',
  sha512: '0ow1ohKmeJlasGX0q7DB+c8zjfeGfHRgxjn7Tunos0x/y+x/FWjPCHL3vgS16SoKRvukWAxiE7vU/1St3DXwvA==',
};

/** Address of a real n8n; without it the node is run by its own code alone. */
export const N8N_URL_VARIABLE = 'PARLEY_TEST_N8N_URL';

export const N8N_OWNER = { email: 'ada@example.com', password: 'Analytical-Engine-1' };
