// The configuration of @hey-api/openapi-ts. Node runs modules that are imported by their whole names.
export default { output: { path: 'client', module: { extension: '.ts' } } }
