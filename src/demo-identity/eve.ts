/** Who signs in at the provider of `--demo-idp`, and for whom. */
export const AUDIENCE = 'demo-shop';
export const EVE = { email: 'eve@demo.example', email_verified: true, name: 'Eve Example' };
