// Draws the API's description with Swagger UI, from this server alone.
const place = document.getElementById("swagger-ui");

SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  docExpansion: "none", // of 139 operations and more drawn at once Swagger UI 5 shows the first ten
  validatorUrl: null,
});
