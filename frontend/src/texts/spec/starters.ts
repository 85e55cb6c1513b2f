/** The built-in ideas of the server are English, so `spec` and `en` have no texts of their own. */
export default {} as const;
